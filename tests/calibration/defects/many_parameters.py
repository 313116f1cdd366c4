# expects tapps:too-many-parameters
def probe_create(name, street, city, zone, country, phone, mail, note, kind):
    return (name, street, city, zone, country, phone, mail, note, kind)
