import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const source = path.resolve(import.meta.dirname, 'src');

/** Matches the URL of a file beside a module: an entry of a process or thread, or a file to read. */
const beside = /new URL\(\s*'((?!\.\.?\/(?:.*\/)?$)[^':]+\.(ts|\w+))',\s*import\.meta\.url,?\s*\)/g;

/** Builds each file that a module names by its URL: modules as entries, others as copies. The build has no folders, so a name
 *  contains the file's folder. */
function filesByUrl(): Plugin {
  return {
    name: 'files-by-url',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(source)) return null;
      return code.replace(beside, (_all, name: string, ending: string) => {
        const file = path.resolve(path.dirname(id), name);
        const flat = path.relative(source, file).replaceAll('/', '-').replace(/\.ts$/, '.js');
        if (ending === 'ts') this.emitFile({ type: 'chunk', id: file, fileName: flat });
        else this.emitFile({ type: 'asset', source: readFileSync(file), fileName: flat });
        return `new URL('./${flat}', import.meta.url)`;
      });
    },
  };
}

/** Resolves graphql to its ES modules for both `import` and `require`: types of its two copies do not mix. */
function oneGraphql(): Plugin {
  const root = path.join(import.meta.dirname, 'node_modules');
  return {
    name: 'one-graphql',
    enforce: 'pre',
    resolveId(id) {
      if (!/^graphql(\/|$)/.test(id)) return null;
      const base = path.join(root, id.replace(/\.m?js$/, ''));
      return [`${base}.mjs`, path.join(base, 'index.mjs')].find((file) => existsSync(file)) ?? null;
    },
  };
}

/** Stops graphile-worker from searching for configuration files: the search fails in a folder that the user cannot read. */
function noCosmiconfig(): Plugin {
  return {
    name: 'no-cosmiconfig',
    enforce: 'pre',
    resolveId: (id) => (id === 'cosmiconfig' ? '\0cosmiconfig' : null),
    load: (id) => (id === '\0cosmiconfig' ? 'export const cosmiconfigSync = () => ({ search: () => null });' : null),
  };
}

/** Packages that are installed beside the build instead of bundled, because they contain programs or files. */
const installed = ['@duckdb/node-api', '@fontsource/noto-sans', '@node-rs/argon2', 'pdfkit', 'piscina'];

/** Config of `npm run build`: bundles the server and the MCP server as JavaScript, which start in a fraction of the time. */
export default defineConfig({
  plugins: [filesByUrl(), oneGraphql(), noCosmiconfig()],
  ssr: { noExternal: true, external: installed, target: 'node' },
  build: {
    ssr: true,
    ssrEmitAssets: true,
    outDir: 'dist/server',
    target: 'node22',
    minify: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { main: 'src/main.ts', mcp: 'src/mcp/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
