import packageJson from '../../package.json' with { type: 'json' };

/** Version of the program, such as `0.1.0`. */
export const version: string = packageJson.version;
