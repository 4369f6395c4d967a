import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import field from '../forms/field.module.css';
import menu from '../menus/menu.module.css';

const steel: MantineColorsTuple = [
  '#fafbfc',
  '#f4f6f8',
  '#eceff2',
  '#e3e7ec',
  '#d6dce2',
  '#bcc5ce',
  '#8793a0',
  '#6c7986',
  '#3f4a56',
  '#171e25',
];

const ink: MantineColorsTuple = [
  '#e4ecf3',
  '#d6e6f5',
  '#bcd4ea',
  '#a6c9ea',
  '#7f9bb5',
  '#55708a',
  '#1c3f5e',
  '#1b4a73',
  '#14304a',
  '#0f1c28',
];

/**
 * A dropdown inside the landmark or dialog of its field. Elements that scroll do not cut it, because its position is fixed.
 * Its list scrolls itself: axe reports another element that scrolls, because keys do not reach it.
 */
const DROPDOWN = {
  comboboxProps: { transitionProps: { duration: 0 }, withinPortal: false, floatingStrategy: 'fixed' },
  withScrollArea: false,
  // A refused field gets the focus, and the dropdown would cover its error. A click, an arrow key or typing opens it.
  openOnFocus: false,
} as const;

/** Mantine theme that replaces its colours and sizes by the product's design tokens. */
export const theme = createTheme({
  colors: { steel, ink },
  primaryColor: 'ink',
  primaryShade: { light: 6, dark: 2 },
  defaultRadius: 6,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  respectReducedMotion: true,
  focusRing: 'never',
  components: {
    Input: { classNames: { wrapper: field.control, input: field.input, section: field.section } },
    InputWrapper: {
      classNames: {
        root: field.field,
        label: field.label,
        description: field.help,
        error: field.error,
        required: field.required,
      },
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'], withAsterisk: false },
    },
    TextInput: { defaultProps: { withAsterisk: false } },
    PasswordInput: {
      classNames: { innerInput: field.inner, visibilityToggle: field.eye },
    },
    Textarea: { defaultProps: { autosize: false } },
    Checkbox: {
      classNames: {
        root: field.check,
        body: field.checkBody,
        inner: field.checkInner,
        input: field.checkInput,
        icon: field.checkIcon,
        label: field.checkLabel,
        labelWrapper: field.checkLabelWrapper,
        description: field.checkHelp,
        error: field.error,
      },
    },
    Select: {
      classNames: { dropdown: menu.dropdown, options: menu.options, option: menu.option },
      defaultProps: { ...DROPDOWN, withCheckIcon: true },
    },
    MultiSelect: {
      classNames: {
        dropdown: menu.dropdown,
        options: menu.options,
        option: menu.option,
        input: field.pills,
        pillsList: field.pillsList,
        pill: field.pill,
        inputField: field.pillsField,
      },
      defaultProps: { ...DROPDOWN, withCheckIcon: true },
    },
    Autocomplete: {
      classNames: { dropdown: menu.dropdown, options: menu.options, option: menu.option },
      defaultProps: DROPDOWN,
    },
    Menu: {
      classNames: {
        dropdown: menu.dropdown,
        item: menu.item,
        itemLabel: menu.itemLabel,
        divider: menu.divider,
        label: menu.label,
      },
      defaultProps: {
        transitionProps: { duration: 0 },
        offset: 4,
        // Inside the landmark of its button, with the focus on its first entry.
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: { defaultProps: { transitionProps: { duration: 0 } } },
  },
});

const roles = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--bg-raised)',
  '--mantine-color-default-hover': 'var(--bg-hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-control)',
  '--mantine-color-error': 'var(--error-text)',
};

/** Sets Mantine's CSS variables to the design tokens, which define both themes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: roles, dark: roles });
