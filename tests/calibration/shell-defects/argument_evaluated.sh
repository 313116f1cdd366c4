# expects tapps:evaluated-argument
eval "set_$1"
