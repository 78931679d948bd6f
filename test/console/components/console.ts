import { configure, screen, waitFor, within } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { enter, leave } from '../../../src/console/api/session.ts';
import { App } from '../../../src/console/app.tsx';
import type { ConsoleApi } from '../client.ts';
import type { Person } from '../data.ts';

// happy-dom has no layout, so it cannot tell which elements are hidden; checking would take most of the time.
configure({
  defaultHidden: true,
  asyncUtilTimeout: 20_000,
  getElementError: (message) =>
    new Error(`${message}\n${location.pathname}: ${document.getElementById('main')?.textContent}`),
});

declare global {
  /** Requests of the page on their way; see `environment.ts`. */
  var openRequests: ReadonlySet<Promise<unknown>>;
}

/** Keys and clicks without pauses. */
export const user = userEvent.setup({ delay: null });

/** Fails the tests of a file that log an error, and ends the console with it. */
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

let root: Root | null = null;

function cleanup(): void {
  root?.unmount();
  root = null;
  leave(null);
  document.body.replaceChildren();
}

/** Renders the console for a signed-in person, on their profile, which needs few requests. */
export async function signIn(api: ConsoleApi, person: Person = api.admin): Promise<void> {
  cleanup();
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${api.url}/settings`);
  enter(await api.rest('POST', '/auth/login', { body: person, as: person }));
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(createElement(App));
  await settled();
}

/** Waits until the page has the responses to all its requests. */
export async function settled(): Promise<void> {
  // React renders, and sends requests, in a later task.
  await new Promise((resolve) => setTimeout(resolve));
  await waitFor(() => {
    expect([...openRequests]).toEqual([]);
    expect(document.getElementById('main')).not.toBeNull();
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

/** Selects an option of a field by keyboard. */
export async function choose(field: HTMLElement, text: string): Promise<void> {
  await user.type(field, text);
  await screen.findAllByRole('option');
  await user.keyboard('{ArrowDown}{Enter}');
}

/** Returns the text of a table's body cells, by row. */
export function rowsOf(table: HTMLElement): string[][] {
  const rows = [...table.querySelectorAll('tbody tr')];
  return rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()));
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
