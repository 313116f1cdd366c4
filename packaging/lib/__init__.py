"""What a release is made of, one kind of file to a module."""
