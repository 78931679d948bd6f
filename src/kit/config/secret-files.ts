import { readFileSync, statSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum size of a secret file. No secret is near it; a larger file is a wrong path. */
const MAX_BYTES = 65_536;

/** Name of the variable with the path of a secret's file. */
export function fileVariable(secret: string): string {
  return `${secret}_FILE`;
}

/** Reads secrets from the files that `NAME_FILE` variables name, as Docker and Kubernetes mount them.
 *  @returns the environment with the secrets under their own names, and one line per problem, without secrets */
export function readSecretFiles(
  env: Environment,
  secrets: Iterable<string>,
): { readonly env: Environment; readonly problems: readonly string[] } {
  const read: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secrets) {
    const path = env[fileVariable(name)]?.trim();
    if (!path) continue;
    const result = env[name]?.trim() ? { problem: `is set together with ${name}; set only one of them` } : open(path);
    if ('problem' in result) problems.push(`${fileVariable(name)}: ${result.problem}`);
    else read[name] = result.secret;
  }
  return { env: { ...env, ...read }, problems };
}

function open(path: string): { readonly secret: string } | { readonly problem: string } {
  const shown = JSON.stringify(path);
  try {
    const file = statSync(path);
    if (!file.isFile()) return { problem: `${shown} is not a file; set it to the path of a file with the secret` };
    if (file.size > MAX_BYTES)
      return {
        problem: `${shown} has more than ${MAX_BYTES / 1024} KiB; set it to the path of a file with only the secret`,
      };
    // Editors and `echo` end files with a line break.
    const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (secret.trim() === '') return { problem: `${shown} is empty; write the secret into it` };
    return { secret };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { problem: `${shown} cannot be read (${code}); set it to the path of a readable file` };
  }
}
