// expects oxlint:no-self-assign
export class Cursor {
  position = 0;
  reset(position: number): void {
    this.position = this.position;
  }
}
