import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { CLOSING } from '../ui/is-typing.js';

const iris: MantineColorsTuple = [
  '#f0f1ff',
  '#e1e3fd',
  '#c4c8fa',
  '#a4a9f5',
  '#858af0',
  '#6a6cea',
  '#5552dd',
  '#4742c4',
  '#3a379e',
  '#302e7c',
];

/** Bluish greys, from the text of dark pages (0) to the page background (9). */
const dark: MantineColorsTuple = [
  '#d9dbe3',
  '#b3b7c4',
  '#979cab',
  '#666b7a',
  '#3d414d',
  '#2d313b',
  '#22252e',
  '#16181f',
  '#111319',
  '#0b0c10',
];

/** White on its filled shade (6) has a contrast of 5.6:1. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#e5484d',
  '#c92a2a',
  '#b02525',
  '#932020',
  '#7a1c1c',
];

const FONT =
  'Inter, "Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const MONO = 'ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", monospace';

const closingClass = (_: unknown, { opened }: { opened?: boolean }) => (opened === false ? { content: CLOSING } : {});

/** The look of all components: calm, dense, small corners, one accent; no font is loaded. */
export const theme = createTheme({
  colors: { iris, dark, red },
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 6 },
  fontFamily: FONT,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: FONT, fontWeight: '600' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  radius: { xs: '3px', sm: '5px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 3 } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false } },
    Modal: {
      defaultProps: {
        // From the top: what grows in a centred dialog would move under the pointer.
        yOffset: 'clamp(16px, 8dvh, 96px)',
        // An accidental click outside must not discard input.
        closeOnClickOutside: false,
        closeButtonProps: { 'aria-label': 'Close' },
        size: 500,
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        radius: 'xl',
        // A `<header>` here would count as the page's banner; likewise in a drawer.
        attributes: { header: { role: 'presentation' } },
      },
      classNames: closingClass,
      styles: {
        title: { fontWeight: 600, fontSize: 16, color: 'var(--wg-strong)' },
        header: { padding: '18px 20px 10px' },
        body: { padding: '4px 20px 20px' },
      },
    },
    InputWrapper: {
      styles: {
        label: { fontWeight: 500, marginBottom: 3 },
        description: { fontSize: 12, marginBottom: 2 },
        error: { fontSize: 12.5 },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    PasswordInput: { defaultProps: { size: 'sm', visibilityToggleButtonProps: { 'aria-label': 'Show or hide' } } },
    Drawer: {
      classNames: closingClass,
      defaultProps: { overlayProps: { backgroundOpacity: 0.45 }, attributes: { header: { role: 'presentation' } } },
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    // Mantine's focus placeholder is not a menu item, so it is invalid inside a menu.
    Menu: { defaultProps: { shadow: 'md', width: 220, position: 'bottom-end', withInitialFocusPlaceholder: false } },
  },
});

/**
 * CSS variables in addition to Mantine's. The contrast of texts is at least 4.5:1 on every surface, that of bars 2.5:1.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59606e',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b42318',
    '--wg-side': '#f6f7f9',
    '--wg-surface': '#ffffff',
    '--wg-sunken': '#f7f8fa',
    '--wg-hover': '#f4f5f8',
    '--wg-border': '#e4e6eb',
    '--wg-strong': '#14161c',
    '--wg-accent-text': '#4742c4',
    '--wg-accent-soft': '#ecedfd',
    '--wg-good': '#17653a',
    '--wg-good-soft': '#e2f5ea',
    '--wg-bad': '#a3211a',
    '--wg-bad-soft': '#fdebea',
    '--wg-warn': '#7d4e00',
    '--wg-warn-soft': '#fdf1d8',
    '--wg-busy': '#17539c',
    '--wg-busy-soft': '#e3effd',
    '--wg-idle': '#474d5a',
    '--wg-idle-soft': '#eef0f3',
    '--wg-chart-succeeded': '#35a06b',
    '--wg-chart-failed': '#d9453c',
    '--wg-chart-canceled': '#7d8595',
    '--wg-chart-skipped': '#c98a1b',
    '--wg-chart-waiting': '#8a63d2',
    '--wg-chart-under-way': '#4c8fe0',
  },
  dark: {
    '--mantine-color-dimmed': '#979cab',
    '--mantine-color-placeholder': '#8a8f9e',
    '--mantine-color-error': '#ff8f85',
    '--wg-side': '#111319',
    '--wg-surface': '#1a1d25',
    '--wg-sunken': '#12141a',
    '--wg-hover': '#20232c',
    '--wg-border': '#2b2f39',
    '--wg-strong': '#f3f4f8',
    '--wg-accent-text': '#a4a9f5',
    '--wg-accent-soft': '#25264a',
    '--wg-good': '#79d6a2',
    '--wg-good-soft': '#143325',
    '--wg-bad': '#ff9d95',
    '--wg-bad-soft': '#3d1d1e',
    '--wg-warn': '#efc06a',
    '--wg-warn-soft': '#37290f',
    '--wg-busy': '#8cbffb',
    '--wg-busy-soft': '#152c4a',
    '--wg-idle': '#b3b7c4',
    '--wg-idle-soft': '#272b35',
    '--wg-chart-succeeded': '#3fae78',
    '--wg-chart-failed': '#ef6a61',
    '--wg-chart-canceled': '#868c9c',
    '--wg-chart-skipped': '#d9a03c',
    '--wg-chart-waiting': '#a888ea',
    '--wg-chart-under-way': '#5c9cf0',
  },
});
