import react from '@vitejs/plugin-react';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const folder = path.resolve(import.meta.dirname, '../../dist/console');

/** Precompresses each text file at build time instead of on every request. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true });
      for (const name of entries.filter((entry) => /\.(js|css|svg|html)$/.test(entry))) {
        const text = await readFile(path.join(folder, name));
        await writeFile(path.join(folder, `${name}.gz`), await promisify(gzip)(text));
        await writeFile(path.join(folder, `${name}.br`), await promisify(brotliCompress)(text));
      }
    },
  };
}

/** Config of `npm run build`: builds the console as static files for the server. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  resolve: { conditions: ['module', 'browser', 'production'] },
  build: {
    outDir: folder,
    emptyOutDir: true,
    license: { fileName: 'licenses.md' },
    target: 'es2023',
    // Inline nothing: the pages' Content-Security-Policy forbids data: scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
  },
});
