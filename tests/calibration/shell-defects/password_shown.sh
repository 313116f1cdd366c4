# expects tapps:password-as-argument
docker login -u deploy -p "$REGISTRY_TOKEN" registry.example
