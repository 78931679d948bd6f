import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that is deleted after the test. */
export function aFolder(): string {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'costkeep-engine-test-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
