import type { Host } from '../host.js';
import type { JsonObject } from '../json.js';
export function engage(_host: Host, _params: JsonObject): void {}
