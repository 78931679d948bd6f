import { configure, screen, waitFor, within } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { enter, leave, start } from '../../../src/console/api/session.ts';
import { App } from '../../../src/console/app.tsx';
import type { ConsoleApi } from '../client.ts';
import type { Person } from '../data.ts';

// happy-dom has no layout, so hidden elements are not recognized; checking would take most of the time.
configure({
  defaultHidden: true,
  asyncUtilTimeout: 30_000,
  getElementError: (message) =>
    new Error(
      `${message?.split('\n')[0]}\n${location.pathname}: ${document.getElementById('main')?.textContent}\n${message}`,
    ),
});

declare global {
  /** Pending requests of the page; see `environment.ts`. */
  var openRequests: ReadonlySet<Promise<unknown>>;
  /** Cookies of the page. */
  var pageCookies: Map<string, string>;
}

/** Keys and clicks without pauses. */
export const user = userEvent.setup({ delay: null });

/** Fails the tests of a file that log an error, and closes the console at its end. */
export function useConsole(): void {
  const log = vi.spyOn(console, 'error');
  // Without layout, Mantine finds nothing visible to focus in a dialog, and logs it.
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
  beforeAll(() => void log.mockClear());
  afterEach(() => {
    expect(log.mock.calls).toEqual([]);
    log.mockClear();
  });
  afterAll(() => {
    cleanup();
    log.mockRestore();
    warnings.mockRestore();
  });
}

/** Changes the data in the responses to a query of the page, until the end of the test.
 *  @param query its name */
export function changeAnswers<Data>(query: string, change: (data: Data) => Data): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const response = await send(url, init);
    if (typeof init?.body !== 'string' || !init.body.includes(`query ${query}`)) return response;
    const { data, ...rest } = (await response.json()) as { readonly data: Data; readonly errors?: readonly unknown[] };
    return Response.json({ ...rest, data: rest.errors ? data : change(data) });
  };
  onTestFinished(() => void (globalThis.fetch = send));
}

/** Fails the requests of a query of the page as while the network is down.
 *  @param query its name
 *  @returns ends the failure, as does the end of the test */
export function failQuery(query: string): () => void {
  const send = globalThis.fetch;
  const restore = () => void (globalThis.fetch = send);
  globalThis.fetch = (url, init) =>
    typeof init?.body === 'string' && init.body.includes(`query ${query}`)
      ? Promise.reject(new TypeError('Failed to fetch'))
      : send(url, init);
  onTestFinished(restore);
  return restore;
}

/** Delays the requests of a query of the page until the returned function is called.
 *  @param query its name */
export function holdQuery(query: string): () => void {
  const send = globalThis.fetch;
  const { promise, resolve } = Promise.withResolvers<void>();
  globalThis.fetch = async (url, init) => {
    if (typeof init?.body === 'string' && init.body.includes(`query ${query}`)) await promise;
    return send(url, init);
  };
  onTestFinished(() => void (globalThis.fetch = send));
  return resolve;
}

let root: Root | null = null;

function cleanup(): void {
  root?.unmount();
  root = null;
  leave(null);
  pageCookies.clear();
  localStorage.clear();
  document.body.replaceChildren();
}

function render(): void {
  document.documentElement.lang = 'en'; // as in index.html
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(createElement(App));
}

/** Goes to a URL like the address bar, without rendering anything. */
function goTo(url: string): void {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);
}

/** Renders the console for a signed-in person, on their profile, which needs few requests. */
export async function signIn(api: ConsoleApi, person: Person = api.admin): Promise<void> {
  cleanup();
  goTo(`${api.url}/settings`);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/api/v1/auth/login', { method: 'POST', headers, body: JSON.stringify(person) });
  enter(await response.json());
  render();
  await settled();
}

/** Renders the console at a path for a signed-out user. */
export async function openSignedOut(api: ConsoleApi, path: string): Promise<void> {
  cleanup();
  goTo(api.url + path);
  await reload();
}

/** Loads the console again, with the session of its cookie. */
export async function reload(): Promise<void> {
  root?.unmount();
  document.body.replaceChildren();
  void start();
  render();
  await settled();
}

/** Reloads the console at a path, as the address bar does. */
export async function visit(path: string): Promise<void> {
  goTo(new URL(path, location.href).href);
  await reload();
}

/** Waits until the page has the responses to all its requests. */
export async function settled(): Promise<void> {
  // React renders, and sends requests, in a later task.
  await new Promise((resolve) => setTimeout(resolve));
  await waitFor(() => {
    expect([...openRequests]).toEqual([]);
    expect(document.querySelector('h1')).not.toBeNull();
    expect(document.querySelector('[aria-busy="true"]')).toBeNull();
  });
}

/** Opens a path as a link does. */
export async function follow(path: string): Promise<void> {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  await settled();
}

/** Goes back as the browser's button does. */
export async function goBack(): Promise<void> {
  const { href } = location;
  history.back();
  await waitFor(() => expect(location.href).not.toBe(href));
  await settled();
}

/** Fills in the login and sends it. */
export async function logIn({ email, password }: Person): Promise<void> {
  await fill(field('Email'), email);
  await fill(field('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await settled();
}

/** Signs out with the user menu. */
export async function logOut(): Promise<void> {
  await user.click(userMenu());
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  await screen.findByRole('heading', { level: 1, name: 'Sign in' });
}

/** The button that opens the user menu and names the user and their organization; a phone's bar has another. */
export function userMenu(): HTMLElement {
  const [button] = screen.getAllByRole('button', { name: /: menu$/ });
  return button ?? document.body;
}

/** Waits for the open dialog, and returns it. */
export function openDialog(): Promise<HTMLElement> {
  return screen.findByRole('dialog');
}

/** The content of the page, without the frame around it. */
export function main() {
  return within(mainElement());
}

/** All text of the content. */
export function mainText(): string {
  return mainElement().textContent;
}

function mainElement(): HTMLElement {
  return screen.getByRole('main');
}

/** Presses a key on an element. */
export async function press(element: HTMLElement, key: string): Promise<void> {
  element.focus();
  await user.keyboard(`{${key}}`);
}

/** The field with exactly this label, required or not, in the document or a part of it. */
export function field(label: string, at: HTMLElement = document.body): HTMLInputElement {
  return within(at).getByLabelText<HTMLInputElement>((text) => text.replace(/ \*$/, '') === label);
}

/** Replaces the text of a field, as by selecting and pasting. */
export async function fill(input: HTMLElement, text: string): Promise<void> {
  await user.clear(input);
  if (text !== '') await user.paste(text);
}

/** Selects an option of a field by keyboard. */
export async function choose(input: HTMLElement, text: string): Promise<void> {
  await user.type(input, text);
  await waitFor(() => {
    const list = document.getElementById(input.getAttribute('aria-controls') ?? '');
    const options = [...(list?.querySelectorAll('[role="option"]') ?? [])].map(({ textContent }) => textContent);
    expect(options.some((option) => option.toLowerCase().includes(text.toLowerCase()))).toBe(true);
  });
  await user.keyboard('{ArrowDown}{Enter}');
}

/** Returns the text of a table's body cells, by row. */
export function rowsOf(table: HTMLElement): string[][] {
  const rows = [...table.querySelectorAll('tbody tr')];
  // Without the checkboxes that select rows.
  const cellsOf = (row: Element) => [...row.children].filter((cell) => !cell.hasAttribute('data-select'));
  return rows.map((row) => cellsOf(row).map((cell) => cell.textContent.trim()));
}

/** Saves the CSV of the page and reads its lines, the header first. */
export async function csvOf(): Promise<string[]> {
  const saving = vi.spyOn(URL, 'createObjectURL');
  // happy-dom would go to the file instead of saving it.
  const clicking = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await user.click(main().getByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(clicking).toHaveBeenCalled());
  const [[file] = []] = saving.mock.calls;
  saving.mockRestore();
  clicking.mockRestore();
  return (await (file as Blob).text()).trim().split('\r\n');
}
