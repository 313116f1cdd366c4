// expects oxlint:no-dupe-class-members
export class Basket {
  size(): number {
    return 1;
  }
  clear(): void {
    console.log("cleared");
  }
  size(): number {
    return 2;
  }
}
