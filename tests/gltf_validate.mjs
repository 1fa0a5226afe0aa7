// The Khronos validator over GLB files: node tests/gltf_validate.mjs FILE...
// A line "ok NAME" or "not ok NAME ..." for each file: no error and no warning is ok. "skip ..." when the npm
// package gltf-validator is not there (it is looked for as node does from here, and in
// $GLTF_VALIDATOR/node_modules). Exit 1: some file is not ok.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, join} from 'node:path';

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
    console.log('skip meshes: the npm package gltf-validator is not here, nothing was validated');
    process.exit(0);
}
let bad = false;
for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {uri: basename(file)});
    const {numErrors, numWarnings, messages} = report.issues;
    const ok = numErrors + numWarnings === 0;
    bad ||= !ok;
    console.log(ok ? `ok ${basename(file)}` : `not ok ${file}: ${numErrors} errors, ${numWarnings} warnings`);
    for (const m of messages)
        if (m.severity <= 1)
            console.log(`  ${m.code} ${m.pointer ?? ''}: ${m.message}`);
}
process.exit(bad ? 1 : 0);
