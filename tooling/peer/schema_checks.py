"""Hooks for schemathesis: ids that exist, and a check that a request which the description allows is not refused as malformed."""

import json
import os

import schemathesis
from hypothesis import strategies as st

IDS = json.loads(os.environ["SIGNALBOX_IDS"])
# Codes of rules that a schema can't express: ids that exist, the time of day, and rules between stored values.
BEYOND_SCHEMA = {
    "cron.never",
    "field.as_template",
    "field.build",
    "field.build_template",
    "field.choice_comma",
    "field.choice_twice",
    "field.default",
    "field.differs",
    "field.earlier_variable",
    "field.empty_as_template",
    "field.external_password",
    "field.external_user",
    "field.foreign_email",
    "field.future",
    "field.login_key",
    "field.max_below_min",
    "field.not_allowed",
    "field.not_of_project",
    "field.not_secret",
    "field.not_user",
    "field.not_view",
    "field.not_visible",
    "field.other_address",
    "field.password_key",
    "field.pattern",
    "field.repository_needed",
    "field.stays_build",
    "field.type_with_secret",
    "password.wrong",
}


def texts(first, letters):
    return st.text(f"{letters} 0189中.-_", min_size=1, max_size=40).map(lambda text: first + text.strip())


# No name may mix letters of different alphabets.
TEXTS = st.one_of(texts("x", "abcXYZä"), texts("Ж", "абвЭЮЯ"))
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,20}", fullmatch=True)
PATHS = st.from_regex(r"[a-z0-9]{1,8}(/[a-z0-9]{1,8}){0,3}\.yml", fullmatch=True)
HOSTS = st.from_regex(r"[a-z]{1,8}(-[0-9]{1,3})?(\.[a-z]{2,8}){0,3}", fullmatch=True)
VALUES = st.one_of(st.integers(), st.booleans(), TEXTS)
# The formats of the OpenAPI file that are not standard, or for which schemathesis has no strategy.
FORMATS = {
    "name": TEXTS,
    "line": st.one_of(st.just(""), TEXTS),
    "json-object": st.dictionaries(TEXTS, st.one_of(VALUES, st.lists(VALUES, max_size=3)), max_size=4).map(json.dumps),
    "environment-variables": st.dictionaries(NAMES, VALUES, max_size=4).map(json.dumps),
    "json-texts": st.lists(TEXTS, max_size=4).map(json.dumps),
    "cron": st.one_of(
        st.sampled_from(["@hourly", "@midnight", "@annually", "@every 1h30m", "CRON_TZ=Europe/Berlin 0 3 * * *"]),
        st.tuples(st.integers(0, 59), st.integers(0, 23)).map(lambda at: f"{at[0]} {at[1]}/2 ? * MON-FRI"),
    ),
    "host-pattern": st.lists(HOSTS, max_size=3).map(",".join),
    "tag": NAMES,
    "vault-name": NAMES,
    "checkout-path": PATHS,
    "branch": st.from_regex(r"[a-z]{1,8}(/[a-z0-9]{1,8}){0,2}", fullmatch=True),
    "git-url": st.one_of(
        st.tuples(st.sampled_from(["https", "http", "ssh", "git", "file"]), HOSTS, PATHS).map("{0[0]}://{0[1]}/{0[2]}".format),
        PATHS.map("/srv/{}".format),
        st.tuples(HOSTS, PATHS).map("git@{0[0]}:{0[1]}".format),
    ),
    "idn-email": st.tuples(st.from_regex(r"[a-z0-9äЖ中.+_-]{1,30}", fullmatch=True), HOSTS).map("@".join),
    "uri": st.tuples(st.sampled_from(["https", "http"]), HOSTS, PATHS).map("{0[0]}://{0[1]}/{0[2]}".format),
}
for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)


def fill(value):
    """Replaces ids by those of objects that exist."""
    if isinstance(value, dict):
        return {name: IDS[name] if name in IDS and isinstance(part, int) and part > 0 else fill(part) for name, part in value.items()}
    return [fill(part) for part in value] if isinstance(value, list) else value


@schemathesis.hook
def map_case(context, case):
    # Deletions get unknown ids, because other calls need the objects.
    for name in [] if case.operation.method.upper() == "DELETE" else list(case.path_parameters or {}):
        if name in IDS:
            case.path_parameters[name] = IDS[name]
    if isinstance(case.body, dict):
        body = fill(case.body)
        body.pop("id", None)
        body.pop("project_id", None)
        case.body = body
    return case


@schemathesis.check
def accepts_what_it_describes(ctx, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    answer = response.json()
    codes = {name: message["code"] for name, message in answer.get("field_codes", {}).items()}
    # The stored object decides what a change needs: null clears a field only if a new object can be created without it.
    if case.operation.method.upper() == "PUT" and isinstance(case.body, dict):
        codes = {name: code for name, code in codes.items() if code != "field.required" and case.body.get(name, "") is not None}
        if not codes and answer.get("field_codes"):
            return
    if not codes or not BEYOND_SCHEMA.issuperset(codes.values()):
        raise AssertionError(f"A request that the description allows is refused: {answer}")
