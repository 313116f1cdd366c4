# expects tapps:file-permissions
chmod 777 cache
