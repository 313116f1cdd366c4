// expects tapps:scanf-without-width
static int injected(char *word) {
    return scanf("%s", word);
}
