// expects tapps:floating-promise
async function saveDraft(): Promise<void> {
  await fetch("/draft", { method: "POST" });
}
export async function submit(): Promise<void> {
  saveDraft();
  console.log("saved");
}
