import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/mcp/settings.ts';

const token = 'svc_abc123';

describe('the settings', () => {
  it('have defaults except for the token', () => {
    expect(readSettings({ SVC_API_TOKEN: token }, 'http')).toEqual({
      apiUrl: 'http://localhost:3000/api/v1',
      token,
      host: '127.0.0.1',
      port: 3005,
      allowedHosts: [],
      allowedOrigins: [],
      logLevel: 'info',
    });
  });

  it('read all variables, and treat blank ones as missing', () => {
    const env = {
      MCP_MODE: ' multi-tenant ',
      SVC_API_TOKEN: '  ',
      SVC_API_URL: 'https://costs.example.com/costkeep/api/v1/',
      MCP_HOST: '0.0.0.0',
      PORT: '0',
      MCP_ALLOWED_HOSTS: 'MCP.example.com, [fd00::1]',
      MCP_ALLOWED_ORIGINS: 'https://a.example,http://b.example:8080',
      LOG_LEVEL: 'warn',
      HOME: '/root',
    };
    expect(readSettings(env, 'http')).toEqual({
      apiUrl: 'https://costs.example.com/costkeep/api/v1',
      token: null,
      host: '0.0.0.0',
      port: 0,
      allowedHosts: ['mcp.example.com', '[fd00::1]'],
      allowedOrigins: ['https://a.example', 'http://b.example:8080'],
      logLevel: 'warn',
    });
  });

  it.each([
    ['https://costs.example.com', 'https://costs.example.com/api/v1'],
    ['https://costs.example.com/', 'https://costs.example.com/api/v1'],
    ['http://[::1]:3000/api/v1//', 'http://[::1]:3000/api/v1'],
  ])('derive from SVC_API_URL %s the API at %s', (SVC_API_URL, apiUrl) => {
    expect(readSettings({ SVC_API_TOKEN: token, SVC_API_URL }, 'stdio').apiUrl).toBe(apiUrl);
  });

  it.each([
    [{}, /^SVC_API_TOKEN: set it to a Costkeep API token \(svc_…\).*or set MCP_MODE=multi-tenant$/],
    [{ SVC_API_TOKEN: 'eyJsecret' }, /^SVC_API_TOKEN: set it to a Costkeep API token, which starts with svc_$/],
    [{ SVC_API_TOKEN: 'svc_secret\nX: y' }, /^SVC_API_TOKEN: set it/],
    [{ SVC_API_TOKEN: token, MCP_MODE: 'many' }, /^MCP_MODE: set it to single-tenant or multi-tenant$/],
    [
      { SVC_API_TOKEN: token, MCP_MODE: 'multi-tenant' },
      /^SVC_API_TOKEN: in multi-tenant mode each request has its own token/,
    ],
    [{ SVC_API_TOKEN: token, SVC_API_URL: 'https://u:secret@a.example' }, /^SVC_API_URL: set it to a URL such as/],
    [{ SVC_API_TOKEN: token, SVC_API_URL: 'https://a.example/?key=secret' }, /^SVC_API_URL: set it/],
    [{ SVC_API_TOKEN: token, SVC_API_URL: 'ftp://a.example' }, /^SVC_API_URL: set it/],
    [{ SVC_API_TOKEN: token, PORT: '70000' }, /^PORT: set it to a whole number from 0 to 65535$/],
    [
      { SVC_API_TOKEN: token, MCP_ALLOWED_HOSTS: 'a.example:80' },
      /^MCP_ALLOWED_HOSTS: set it to comma-separated host names without/,
    ],
    [
      { SVC_API_TOKEN: token, MCP_ALLOWED_ORIGINS: 'a.example' },
      /^MCP_ALLOWED_ORIGINS: set it to comma-separated origins/,
    ],
    [{ SVC_API_TOKEN: token, LOG_LEVEL: 'loud' }, /^LOG_LEVEL: set it to fatal, error/],
    [{ SVC_API_TOKEN: token, MCP_HOSTS: 'x' }, /^MCP_HOSTS: unknown variable; use SVC_API_TOKEN/],
    [{ SVC_API_KEY: token }, /^SVC_API_KEY: unknown variable/],
    [{ PORT: 'x', LOG_LEVEL: 'y' }, /^PORT: .*\nLOG_LEVEL: .*$/],
  ])('state the remedy for %o', (env, message) => {
    const read = () => readSettings(env, 'http');
    expect(read).toThrow(message);
    expect(read).not.toThrow(/secret/);
  });

  it('allow only one user over stdio', () => {
    expect(() => readSettings({ MCP_MODE: 'multi-tenant' }, 'stdio')).toThrow(/^MCP_MODE: stdio serves one user only/);
  });
});
