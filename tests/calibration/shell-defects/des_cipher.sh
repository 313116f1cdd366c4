# expects tapps:weak-cryptography
openssl enc -des3 -in letter.txt -out letter.enc -pass file:key
