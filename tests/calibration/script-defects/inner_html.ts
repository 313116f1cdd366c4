// expects tapps:inner-html
export function show(box: HTMLElement, comment: string): void {
  box.innerHTML = "<p>" + comment + "</p>";
}
