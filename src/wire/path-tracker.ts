/** Follows the path of the value that a `walkJson` visitor is at. Subclasses call `beginValue` for each scalar. */
export abstract class PathTracker {
  /** Names and indices down to the current value; changes as the walk goes on. */
  protected readonly path: (string | number)[] = [];

  openObject(start: number): void {
    this.beginValue(start);
    this.path.push('');
  }

  openArray(start: number): void {
    this.beginValue(start);
    this.path.push(-1);
  }

  closeObject(_end: number): void {
    this.path.pop();
  }

  closeArray(_end: number): void {
    this.path.pop();
  }

  name(name: string, _start: number): void {
    this.path[this.path.length - 1] = name;
  }

  string(_value: string, start: number, _end: number): void {
    this.beginValue(start);
  }

  number(_text: string, start: number, _end: number): void {
    this.beginValue(start);
  }

  literal(_value: null | boolean, start: number, _end: number): void {
    this.beginValue(start);
  }

  /** After this, `path` is that of the value which begins at `start`. */
  protected beginValue(_start?: number): void {
    const last = this.path.length - 1;
    const segment = this.path[last];
    if (typeof segment === 'number') {
      this.path[last] = segment + 1;
    }
  }
}
