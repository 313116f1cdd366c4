# expects tapps:short-rsa-key
openssl genrsa -out server.key 1024
