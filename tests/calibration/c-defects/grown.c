// expects tapps:lost-reallocation
static void injected(struct injected *list, unsigned long size) {
    list->items = realloc(list->items, size);
}
