// expects tapps:weak-cryptography
import "crypto/md5"

func injectedSignature(text []byte) [16]byte {
	return md5.Sum(text)
}
