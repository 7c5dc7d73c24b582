// Reads tables as the answer desk does: a list of {text, pasted} from a file, what comes of each to stdout.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const [, , scripts, request] = process.argv;
runInThisContext(JSON.parse(scripts).map((path) => readFileSync(path, "utf8")).join("\n;\n") + "\n;globalThis.desk = { answerTo, answered };");
const found = JSON.parse(readFileSync(request, "utf8")).map((one) => desk.answerTo({ ...one, bytes: one.base64 && Uint8Array.from(Buffer.from(one.base64, "base64")).buffer }));
console.log(JSON.stringify(found, (_, value) => (value instanceof Float64Array || value instanceof Int32Array ? Array.from(value) : value)));
