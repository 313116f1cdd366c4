// expects tapps:switch-fall-through
class Injected {
    int price(int kind) {
        int price = 0;
        switch (kind) {
            case 1:
                price = 10;
            default:
                price = 5;
        }
        return price;
    }
}
