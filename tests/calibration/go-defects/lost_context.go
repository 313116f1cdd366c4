// expects tapps:context-not-passed
import "context"

func injected(ctx context.Context, ask func(context.Context) error) error {
	return ask(context.Background())
}
