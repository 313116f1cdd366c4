// expects tapps:await-in-loop
export async function loadAll(urls: string[]): Promise<Response[]> {
  const pages: Response[] = [];
  for (const url of urls) {
    pages.push(await fetch(url));
  }
  return pages;
}
