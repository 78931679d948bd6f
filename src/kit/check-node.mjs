// Run by npm after an install, perhaps under the machine's own, older Node: plain JavaScript, no packages, and never a
// reason for an install to fail.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  const remedy =
    process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
      ? `Costkeep brings a newer one in the package node-linux-${process.arch}, but it is not installed: run npm ci without --omit=optional.`
      : 'Install Node 22.18 or newer from https://nodejs.org, then run npm ci again.';
  console.warn(`\nCostkeep runs on Node 22.18 or newer; this is Node ${process.versions.node} (${process.execPath}).\n${remedy}\n`);
}
