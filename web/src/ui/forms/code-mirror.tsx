import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { Decoration, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { styleNonce } from '../theme/style-nonce.ts';
import { brokenLine } from './code-problem.ts';

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.content], color: 'var(--ok-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--stop-text)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-3)' },
]);

const STYLE = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  // The focus ring is around the whole editor.
  '.cm-content:focus-visible': { boxShadow: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', maxHeight: '340px', minHeight: '124px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-gutters': { backgroundColor: 'var(--bg-sunken)', color: 'var(--text-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--bg-hover)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--bg-selected, var(--bg-hover))',
  },
  '.cm-tinted': { backgroundColor: 'var(--accent-soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
});

/** Tints lines, by their numbers from 1. */
const tinting = (lines: readonly number[]) =>
  EditorView.decorations.of(({ state: { doc } }) =>
    Decoration.set(
      lines
        .filter((line) => line <= doc.lines)
        .map((line) => Decoration.line({ class: 'cm-tinted' }).range(doc.line(line).from)),
      true,
    ),
  );

export interface CodeMirrorProps {
  value: string;
  onChange: (value: string) => void;
  /** Whether to colour YAML, which includes JSON. Other texts are plain. */
  isYaml: boolean;
  isDisabled: boolean;
  /** Called with the first line that is not valid YAML; undefined if all lines are valid. */
  onBroken: (line: number | undefined) => void;
  labelledBy: string;
  describedBy: string;
  isInvalid: boolean;
  /** Numbers of tinted lines, from 1. */
  tinted: readonly number[];
}

/** The editor without label and messages. Its code is loaded when a form with an editor opens. */
export const CodeMirror = (props: CodeMirrorProps) => {
  const position = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(props.onChange);
  changed.current = props.onChange;
  const broken = useRef(props.onBroken);
  broken.current = props.onBroken;
  const { value, isYaml, isDisabled, labelledBy, describedBy, isInvalid } = props;
  const attributes = useRef(new Compartment());
  const tints = useRef(new Compartment());
  const tinted = JSON.stringify(props.tinted);
  const properties = {
    'aria-labelledby': labelledBy,
    'aria-describedby': describedBy,
    'aria-invalid': String(isInvalid),
    'aria-readonly': String(isDisabled),
    role: 'textbox',
    'aria-multiline': 'true',
    // Also focusable when read-only, so that it can be scrolled with the keyboard.
    tabindex: '0',
  };
  const json = JSON.stringify(properties);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the value from outside is handled below
  useEffect(() => {
    if (!position.current) return;
    const editor = new EditorView({
      parent: position.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(styleNonce()),
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          indentUnit.of('  '),
          EditorState.tabSize.of(2),
          // Tab moves to the next field, so that the editor does not trap the keyboard; Ctrl-] indents.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          isYaml ? yaml() : [],
          syntaxHighlighting(COLOURS),
          STYLE,
          EditorView.editable.of(!isDisabled),
          tints.current.of(tinting(props.tinted)),
          attributes.current.of(EditorView.contentAttributes.of(properties)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString());
            if (isYaml) broken.current(brokenLine(update.state.doc.toString(), syntaxTree(update.state)));
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [isYaml, isDisabled]);
  useEffect(() => {
    const editor = view.current;
    const now = editor?.state.doc.toString();
    if (editor && now !== value) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const effect = attributes.current.reconfigure(EditorView.contentAttributes.of(JSON.parse(json)));
    view.current?.dispatch({ effects: effect });
  }, [json]);
  useEffect(() => {
    view.current?.dispatch({ effects: tints.current.reconfigure(tinting(JSON.parse(tinted) as number[])) });
  }, [tinted]);
  return <div ref={position} />;
};
