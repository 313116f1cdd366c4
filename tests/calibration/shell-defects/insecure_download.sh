# expects tapps:certificate-unchecked
curl -f -k -o data.json https://data.example/latest.json
