# expects tapps:duplicate-block
def probe_first(order):
    total = order.price * order.count
    total = total - order.discount
    total = total + order.shipping
    order.tax = total * order.rate
    order.total = total + order.tax
    order.paid = order.balance >= order.total
    order.log.append(order.total)
    return order


def probe_second(order):
    total = order.price * order.count
    total = total - order.discount
    total = total + order.shipping
    order.tax = total * order.rate
    order.total = total + order.tax
    order.paid = order.balance >= order.total
    order.log.append(order.total)
    return order.total
