// Run by npm after an install, perhaps under the machine's own, older Node: plain JavaScript, no packages, and never a
// reason for an install to fail.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const name = `node-${process.platform}-${process.arch}`;
const link = path.join(modules, '.bin/node');

/** Links the bundled Node if npm has not: npm 10 links it, and then removes that link with the package for other
 *  processors, whose link has the same name. Without it, npm scripts would run on the machine's Node. */
function linkOwnNode() {
  const own = path.join(modules, name, 'bin/node');
  if (fs.existsSync(own) && !fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(link), own), link);
}

/** The version that npm scripts run on. */
function nodeVersion() {
  const { status, stdout } = spawnSync(link, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : process.versions.node;
}

function remedy() {
  if (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch))
    return `Costkeep comes with a newer one in the package ${name}, but it is not installed: run npm ci without --omit=optional.`;
  return 'Install Node 22.18 or newer from https://nodejs.org, then run npm ci again.';
}

try {
  linkOwnNode();
} catch (error) {
  console.warn(`Cannot link ${link}: ${error.message}`);
}
const version = nodeVersion();
const [major = 0, minor = 0] = version.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18))
  console.warn(`\nCostkeep runs on Node 22.18 or newer; this is Node ${version}.\n${remedy()}\n`);
