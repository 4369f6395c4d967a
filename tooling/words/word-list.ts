/** A word that the project does not use, and the words to use in its place. */
export interface RefusedWord {
  /** Every form of the word, or a phrase. In a name, `hand over` matches `handOver`, `hand_over` and `hand-over`. */
  readonly forms: readonly string[];
  readonly instead: string;
  /** `names` and `prose` limit the entry to one of them. Default: both. */
  readonly only?: 'names' | 'prose';
  /** The entry applies only to paths that match. Default: all. */
  readonly paths?: RegExp;
  /** Where this matches around the word, the word has another meaning and is accepted. */
  readonly except?: RegExp;
}

/** Words that were private to this project, vague, or out of use. One word for one thing: see docs/glossary.md. */
export const REFUSED_WORDS: readonly RefusedWord[] = [
  { forms: ['keeper', 'keepers'], instead: 'supervisor' },
  { forms: ['guardian', 'guardians'], instead: 'watchdog' },
  {
    forms: ['order', 'orders'],
    instead: 'job',
    only: 'names',
    paths: /^(runner\/src|contract\/src\/link)\//,
    except: /by|sort|in|_order|Order(ed|ing)/,
  },
  { forms: ['settled'], instead: 'acknowledged, completed', except: /all ?settled|promise ?settled/i },
  {
    forms: ['place', 'places'],
    instead: 'workspace, context, rank, position',
    except: /in[ -]place|tak(e|es|ing) place|took place|in the place of/i,
  },
  { forms: ['workshop', 'surroundings'], instead: 'runner context' },
  { forms: ['hand over', 'hands over', 'handed over', 'handing over'], instead: 'change owner, pass' },
  { forms: ['take back', 'takes back', 'taken back', 'took back'], instead: 'reclaim, revert' },
  { forms: ['draft', 'drafts'], instead: 'partial, staging', paths: /^runner\// },
  { forms: ['portion', 'portions'], instead: 'batch, chunk' },
  { forms: ['room', 'rooms'], instead: 'capacity, free space, height' },
  {
    forms: ['look', 'looks', 'looked', 'looking'],
    instead: 'poll, check, scan, search',
    except: /look(s|ed|ing)? ?up/i,
  },
  { forms: ['tell', 'tells', 'told', 'telling', 'untold'], instead: 'report, notify, show' },
  { forms: ['say', 'says', 'said', 'saying'], instead: 'state, report, show, name' },
  { forms: ['speak', 'speaks', 'spoke', 'spoken'], instead: 'send, report' },
  { forms: ['hear', 'hears', 'heard', 'hearing', 'unheard'], instead: 'receive, received, subscription' },
  { forms: ['question', 'questions'], instead: 'runner query, query', except: /survey|questionnaire/i },
  { forms: ['asker', 'askers', 'desk', 'inquiry', 'inquiries'], instead: 'requester, query service' },
  { forms: ['fault', 'faults', 'faulty'], instead: 'error, failure' },
  {
    forms: ['word', 'words'],
    instead: 'text, message, term',
    except: /word list|refused|whole word|words check|tooling\/words|word-list|keyword/i,
  },
  {
    forms: ['sentence', 'sentences'],
    instead: 'text, message',
    except: /one sentence|whole sentences?|middle of a sentence/i,
  },
  { forms: ['mark', 'marks'], instead: 'marker, tag', only: 'names' },
  {
    forms: ['a mark', 'the mark', 'its mark', 'this mark', 'each mark', 'marks'],
    instead: 'marker, tag',
    only: 'prose',
  },
  { forms: ['seal', 'seals', 'sealed', 'sealing', 'unsealed'], instead: 'close, encrypt, lock' },
  { forms: ['torn', 'unwritten'], instead: 'truncated, not written', except: /signalbox.torn/ },
  { forms: ['covered', 'uncovered'], instead: 'masked', paths: /^runner\// },
  { forms: ['late'], instead: 'orphaned', only: 'names', paths: /^(runner|server)\/src\/(runs|dispatch)\// },
  { forms: ['turns'], instead: 'keyed mutex', only: 'names' },
  { forms: ['beat', 'beats'], instead: 'heartbeat' },
  { forms: ['ways'], instead: 'channels', only: 'names' },
  { forms: ['bring', 'brings', 'brought', 'bringing'], instead: 'fetch, install, deliver, include' },
  { forms: ['ledger'], instead: 'host history' },
  {
    forms: ['family', 'families'],
    instead: 'descendants',
    except: /font|address|socket|rem|ip ?family|os[ _]?family|family: [046]/i,
  },
  { forms: ['hunt', 'hunts', 'hunted', 'hunting'], instead: 'kill all, find' },
  { forms: ['trip', 'trips'], instead: 'authorization request', except: /round[ -]?trip/i },
  { forms: ['set out', 'sets out', 'setting out'], instead: 'start' },
  { forms: ['entrance', 'entrances'], instead: 'sign-in app' },
  { forms: ['lamp', 'lamps'], instead: 'status icon' },
  { forms: ['snack', 'snacks'], instead: 'toast' },
  { forms: ['house', 'houses'], instead: 'test harness' },
  { forms: ['crowd', 'crowds'], instead: 'users' },
  { forms: ['ear', 'ears', 'sight', 'sights'], instead: 'recorder, page case' },
  { forms: ['furnish', 'furnishes', 'furnished'], instead: 'seed' },
  { forms: ['speaker', 'speakers'], instead: 'noisy playbook' },
  { forms: ['walls', 'arrows'], instead: 'boundaries, dependencies', except: /arrow ?keys?/i },
  { forms: ['mend', 'mends', 'mended', 'mending'], instead: 'fix, repair' },
  { forms: ['anew'], instead: 'again, new' },
  { forms: ['beside', 'besides'], instead: 'next to, in addition to' },
  { forms: ['till'], instead: 'until' },
  {
    forms: ['yet'],
    instead: 'so far, already',
    only: 'prose',
    except: /(not|no|never|n[’']t|nothing|none)\b[^.]{0,60}\byet/i,
  },
  { forms: ['whoever', 'somebody', 'nobody'], instead: 'user, client, caller, no user' },
  { forms: ['who is signed in'], instead: 'a signed-in user', only: 'prose' },
  {
    forms: ['is gone', 'are gone', 'was gone', 'worth nothing', 'is void'],
    instead: 'was deleted, no longer works, expired',
    only: 'prose',
  },
  { forms: ['unless told'], instead: 'default', only: 'prose' },
  { forms: ['as the system has it'], instead: 'use the system setting', only: 'prose' },
  { forms: ['made up', 'made-up'], instead: 'generated', only: 'prose' },
  { forms: ['e-mail', 'e-mails'], instead: 'email', only: 'prose' },
];

/** Names that are part of the API, of stored data or of other programs, each with the reason. */
export const ACCEPTED_NAMES: Readonly<Record<string, string>> = {
  sealed: 'a field of the answer of getTaskLines',
  'data sealed': 'the same field as an attribute',
  fault: 'a field of alert deliveries and tests',
  'place views': 'an operation id of the API',
  'on settled': 'an option of TanStack Query',
  'dynamic import settled': 'a function of Vitest',
  'high water mark': 'an option of the streams of Node',
  mark: 'an element of HTML, and a field of the events of the callback plugin',
  'marker field mark': 'the same field in the callback plugin',
  marks: 'a field of the read position of a run, which is stored in position.json',
  nobody: 'a user of the operating system',
};

/** Words that a file needs: they belong to other programs, to stored data or to earlier versions. */
export const ACCEPTED_IN_FILES: readonly {
  readonly path: RegExp;
  readonly words: readonly string[];
  readonly reason: string;
}[] = [
  { path: /\/sign-in-page\.test\.tsx$/, words: ['e-mail'], reason: 'a German text' },
  { path: /^server\/src\/commands\/completion-script\.ts$/, words: ['words'], reason: 'a variable of zsh' },
  { path: /^server\/src\/commands\/vault\//, words: ['place', 'beside'], reason: 'JSON and option of a command' },
  { path: /^server\/src\/commands\/commands\.test\.ts$/, words: ['nobody'], reason: 'a user of the system' },
  {
    path: /\/(event-kinds\.test|0036-old-descriptions)\.ts$/,
    words: ['bring', 'look', 'anew', 'nobody', 'e-mail'],
    reason: 'stored texts of earlier versions',
  },
  {
    path: /\/migrations\/(0007|0011)-[a-z-]+\.ts$/,
    words: ['ledger', 'questions'],
    reason: 'names of migrations, which are stored',
  },
  {
    path: /\/migrations\/0039-column-names\.ts$/,
    words: ['question'],
    reason: 'the former name of a table, which earlier backups have',
  },
  {
    path: /\/session\/link-protocol-4(\.test)?\.ts$/,
    words: ['question', 'seal', 'late', 'order'],
    reason: 'names of the previous protocol',
  },
  { path: /\/outgoing\/http-request\.ts$/, words: ['family'], reason: 'an option of sockets in Node.js' },
  { path: /\/large-bodies\.test\.ts$/, words: ['marks'], reason: 'a term of Unicode' },
  { path: /\/foundation-rows\.ts$/, words: ['beats'], reason: 'a column before its migration' },
  { path: /^lang\//, words: ['word', 'sentence'], reason: 'a word of a text, and a stored code' },
  {
    path: /^(runner\/src\/runner\.ts|e2e\/secrets\.spec\.ts|tooling\/product\/crash\/leftovers\.test\.ts)$/,
    words: ['places'],
    reason: 'a folder of the runner',
  },
];
