# expects tapps:pid-named-temporary
sort names.txt >/tmp/names.$$
