// Loaded before the harness: at its end it writes the most memory that it ever had resident, in bytes.
import { writeFileSync } from 'node:fs';

const { HOSTILE_MEMORY_FILE } = process.env;
if (HOSTILE_MEMORY_FILE) {
  process.on('exit', () => writeFileSync(HOSTILE_MEMORY_FILE, String(process.resourceUsage().maxRSS * 1024)));
}
