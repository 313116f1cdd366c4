# expects tapps:nested-loop
def probe_match(users, orders, refunds):
    pairs = []
    for user in users:
        for order in orders:
            for refund in refunds:
                if user.id == order.user and order.id == refund.order:
                    pairs.append((user, order, refund))
    return pairs
