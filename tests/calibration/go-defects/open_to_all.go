// expects tapps:file-permissions
import "os"

func injected(path string) error {
	return os.Chmod(path, 0777)
}
