# expects tapps:shell-command
sh -c "tar -xf $1"
