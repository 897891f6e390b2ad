// The reference server, which first says on stderr what its process is.
process.stderr.write(`server ${process.pid}\n`);
process.argv.splice(2, 0, 'serve');
await import('../../bin/msp-conformance.js');
