import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { byName } from './parts/list/by-name.ts';

/** Brand colour: a calm green-blue that no status uses (green is good, red is bad, yellow warns). Shade 7 on white and white
 *  on shade 8 both exceed a contrast of 4.5:1. */
const harbor: MantineColorsTuple = [
  '#ecf9f7',
  '#d3f0ec',
  '#a5e2da',
  '#6fd0c4',
  '#45bcae',
  '#27a596',
  '#178d80',
  '#0b7568',
  '#0a6156',
  '#084d45',
];

/** Slightly blue greys for the dark scheme: the page is darkest, raised surfaces are lighter. */
const dark: MantineColorsTuple = [
  '#e4e8ec',
  '#c3cad2',
  '#a3adb8',
  '#8592a0',
  '#3d4853',
  '#2b343d',
  '#1f262d',
  '#181e24',
  '#12171c',
  '#0c1014',
];

/** Selects the text of the select that opens, so that typing replaces the chosen label and searches all choices. It waits for
 *  the click that opens it, which moves the caret. */
function selectText(): void {
  setTimeout(() => {
    const input = document.activeElement;
    if (input instanceof HTMLInputElement && !input.readOnly) input.select();
  });
}

/** Mantine theme of the console. */
export const theme = createTheme({
  primaryColor: 'harbor',
  primaryShade: { light: 7, dark: 7 },
  colors: { harbor, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: '620' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Alert: { defaultProps: { variant: 'light' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 200, events: { hover: true, focus: true, touch: true } } },
    Modal: {
      // Without a scroll lock: it hides the scroll bar, and the page behind would shift.
      defaultProps: { centered: true, lockScroll: false, transitionProps: { duration: 120 } },
      styles: {
        content: { background: 'var(--surface)' },
        header: { background: 'var(--surface)' },
        title: { fontWeight: 600 },
      },
    },
    // Mantine's initial focus placeholder is not a menu item, and a menu may contain only items; the first item takes the
    // focus.
    Menu: { defaultProps: { transitionProps: { duration: 80 }, withInitialFocusPlaceholder: false } },
    Select: {
      defaultProps: {
        filter: byName,
        comboboxProps: { transitionProps: { duration: 80 } },
        checkIconPosition: 'right',
        onDropdownOpen: selectText,
      },
    },
    MultiSelect: { defaultProps: { filter: byName, comboboxProps: { transitionProps: { duration: 80 } } } },
  },
});

/** Semantic colours. The console's styles use these variables, never a raw colour. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f8f9',
    '--surface': '#ffffff',
    '--surface-raised': '#f6f8f9',
    '--line': '#e1e6ea',
    '--ink': '#172026',
    '--ink-soft': '#51606d',
    '--accent': '#0b7568',
    '--accent-soft': '#e2f3f0',
    '--good': '#1d7a3e',
    '--bad': '#c02a2a',
    '--warn': '#8f5a00',
    '--mantine-color-text': '#172026',
    '--mantine-color-dimmed': '#51606d',
    '--mantine-color-anchor': '#0b6b60',
    '--mantine-color-error': '#c02a2a',
    '--mantine-color-red-light': '#fdecec',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-yellow-light': '#fcf3dd',
    '--mantine-color-yellow-light-color': '#8f5a00',
    '--mantine-color-placeholder': '#66747f',
  },
  dark: {
    '--mantine-color-body': '#0f1418',
    '--surface': '#171d23',
    '--surface-raised': '#1e262d',
    '--line': '#2b343d',
    '--ink': '#e4e8ec',
    '--ink-soft': '#9dabb8',
    '--accent': '#45bcae',
    '--accent-soft': '#12312e',
    '--good': '#5fc989',
    '--bad': '#ff8a80',
    '--warn': '#f0b849',
    '--mantine-color-text': '#e4e8ec',
    '--mantine-color-dimmed': '#9dabb8',
    '--mantine-color-anchor': '#6fd0c4',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-red-light': '#351e20',
    '--mantine-color-red-light-color': '#ff8a80',
    '--mantine-color-yellow-light': '#30280f',
    '--mantine-color-yellow-light-color': '#f0b849',
    '--mantine-color-placeholder': '#8592a0',
  },
});
