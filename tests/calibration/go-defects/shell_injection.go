// expects tapps:shell-command
import "os/exec"

func injected(name string) error {
	return exec.Command("sh", "-c", "ls "+name).Run()
}
