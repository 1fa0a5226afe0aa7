// The Khronos validator over GLB files: node tests/gltf_validate.mjs FILE...
// Exit 0: no error and no warning. 1: some. 77: the npm package gltf-validator is not there (it is looked for
// as node does from here, and in $GLTF_VALIDATOR/node_modules).
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

function find() {
    const places = [import.meta.url];
    if (process.env.GLTF_VALIDATOR)
        places.push(join(process.env.GLTF_VALIDATOR, 'x.js'));
    for (const place of places) {
        try {
            return createRequire(place)('gltf-validator');
        } catch {
            // not here
        }
    }
    return null;
}

const validator = find();
if (!validator) {
    console.error('SKIPPED: the npm package gltf-validator is missing; no mesh was validated');
    process.exit(77);
}
let bad = 0;
for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {uri: file});
    const {numErrors, numWarnings} = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
    for (const m of report.issues.messages)
        if (m.severity <= 1)
            console.log(`  ${m.code} ${m.pointer ?? ''}: ${m.message}`);
    bad += numErrors + numWarnings;
}
process.exit(bad ? 1 : 0);
