# expects tapps:host-key-unchecked
scp -o StrictHostKeyChecking=no app.tar host.example:/srv/
