// expects oxlint:no-async-promise-executor
export function loaded(load: () => Promise<string>): Promise<string> {
  return new Promise(async (resolve) => {
    resolve(await load());
  });
}
