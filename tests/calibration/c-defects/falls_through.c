// expects tapps:unmarked-fall-through
static int injected(int kind) {
    int sum = 0;
    switch (kind) {
    case 1:
        sum += 5;
    case 2:
        sum += 3;
        break;
    default:
        break;
    }
    return sum;
}
