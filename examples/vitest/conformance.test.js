import { conformance } from 'msp-conformance/vitest';

// The bundled reference server; yours is `command: ['node', 'server.js', '--stdio']`.
conformance({ only: ['handshake-*'], passes: [] });
