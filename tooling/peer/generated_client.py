"""Makes every call of the generated client `semaphore-api` that exists in Signalbox, and fails when one does not work."""

import os
import sys
import time

import semaphore_api
from semaphore_api import models
from semaphore_api.exceptions import ApiException

ADDRESS = os.environ["SIGNALBOX_ADDRESS"]
TOKEN = os.environ["SIGNALBOX_TOKEN"]
REPOSITORY = os.environ["SIGNALBOX_REPOSITORY"]
ENDED = ("success", "error", "stopped")

configuration = semaphore_api.Configuration(host=f"{ADDRESS}/api")
client = semaphore_api.ApiClient(configuration)
client.set_default_header("Authorization", f"Bearer {TOKEN}")
auth = semaphore_api.AuthenticationApi(client)
general = semaphore_api.DefaultApi(client)
project = semaphore_api.ProjectApi(client)
projects = semaphore_api.ProjectsApi(client)
schedule = semaphore_api.ScheduleApi(client)
user = semaphore_api.UserApi(client)
made = 0


def call(function, *args, refused=None):
    """Makes one call; with `refused`, it must be refused with a 400 that names that field."""
    global made
    made += 1
    try:
        answer = function(*args)
    except ApiException as error:
        if refused is None:
            sys.exit(f"{function.__name__} answered {error.status}: {error.body}")
        if error.status != 400 or f'"{refused}"' not in error.body:
            sys.exit(f"{function.__name__} should refuse {refused}, and answered {error.status}: {error.body}")
        return None
    if refused is not None:
        sys.exit(f"{function.__name__} should refuse {refused}, and answered {answer}")
    return answer


def named(rows, name):
    """What a call made that answers nothing to this client."""
    return [row for row in rows if row.name == name][0]


def one_of(rows, id):
    found = [row for row in rows if row.id == id]
    if len(found) != 1:
        sys.exit(f"{id} is not once in {rows}")
    return found[0]


call(general.ping_get)
call(general.info_get)
call(auth.auth_login_get)
call(general.events_get)
call(general.events_last_get)

# Only a session can create tokens. The id of a new token is the whole token; in the list it is the prefix.
session = semaphore_api.ApiClient(configuration)
session.set_default_header("Cookie", os.environ["SIGNALBOX_COOKIE"])
own = semaphore_api.UserApi(session)
me = call(user.user_get)
token = call(own.user_tokens_post)
listed = [one for one in call(user.user_tokens_get) if token.id.startswith(one.id)]
assert len(listed) == 1 and listed[0].user_id == me.id and listed[0].expired is False, listed
call(own.user_tokens_api_token_id_delete, listed[0].id)
call(semaphore_api.AuthenticationApi(session).user_tokens_api_token_id_delete, call(own.user_tokens_post).id)

# This client has no field for the password of a new user.
call(user.users_post, models.UserRequest(name="Ana", username="ana", email="ana@example.com"), refused="password")
call(user.users_get)
call(user.users_user_id_get, me.id)

call(projects.projects_post, models.ProjectRequest(name="Peer", alert=False, max_parallel_tasks=0))
made_project = named(call(projects.projects_get), "Peer")
p = made_project.id
one_of(call(projects.projects_get), p)
assert call(project.project_project_id_get, p).name == "Peer"
call(project.project_project_id_put, p, models.ProjectProjectIdPutRequest(name="Peers"))
assert call(project.project_project_id_role_get, p).permissions == 15
call(project.project_project_id_users_get, p, "name", "asc")
call(project.project_project_id_events_get, p)

call(project.project_project_id_keys_post, p, models.AccessKeyRequest(name="None", type="none", project_id=p))
key = named(call(project.project_project_id_keys_get, p, "name", "asc"), "None")
ssh = models.AccessKeyRequest(
    name="Login",
    type="login_password",
    project_id=p,
    login_password=models.AccessKeyRequestLoginPassword(login="ana", password="a long phrase 9"),
)
call(project.project_project_id_keys_post, p, ssh)
login = named(call(project.project_project_id_keys_get, p, "name", "asc"), "Login")
keys = call(project.project_project_id_keys_get, p, "name", "asc")
assert one_of(keys, login.id).login_password.password == "", keys
call(project.project_project_id_keys_key_id_put, p, login.id, models.AccessKeyRequest(name="Login 2", type="login_password", project_id=p))
call(project.project_project_id_keys_key_id_delete, p, login.id)

call(
    project.project_project_id_repositories_post,
    p,
    models.RepositoryRequest(name="Playbooks", project_id=p, git_url=REPOSITORY, git_branch="main", ssh_key_id=key.id),
)
repository = named(call(project.project_project_id_repositories_get, p, "name", "asc"), "Playbooks")
one_of(call(project.project_project_id_repositories_get, p, "name", "asc"), repository.id)
call(
    project.project_project_id_repositories_repository_id_put,
    p,
    repository.id,
    models.RepositoryRequest(name="Books", project_id=p, git_url=REPOSITORY, git_branch="main", ssh_key_id=key.id),
)
inventory_values = dict(
    project_id=p,
    type="static",
    ssh_key_id=key.id,
    inventory='localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"',
)
inventory = call(project.project_project_id_inventory_post, p, models.InventoryRequest(name="Here", **inventory_values))
one_of(call(project.project_project_id_inventory_get, p, "name", "asc"), inventory.id)
call(project.project_project_id_inventory_inventory_id_put, p, inventory.id, models.InventoryRequest(name="Hosts", **inventory_values))
call(project.project_project_id_environment_post, p, models.EnvironmentRequest(name="Vars", project_id=p, json="{}", env="{}"))
environment = named(call(project.project_project_id_environment_get, p, "name", "asc"), "Vars")
one_of(call(project.project_project_id_environment_get, p, "name", "asc"), environment.id)
call(project.project_project_id_environment_environment_id_put, p, environment.id, models.EnvironmentRequest(name="Empty", project_id=p, json="{}"))
view = call(project.project_project_id_views_post, p, models.ViewRequest(title="All of it", project_id=p, position=1))
one_of(call(project.project_project_id_views_get, p), view.id)
assert call(project.project_project_id_views_view_id_get, p, view.id).title == "All of it"
call(project.project_project_id_views_view_id_put, p, view.id, models.ViewRequest(title="Some", project_id=p, position=2))

values = dict(
    project_id=p,
    inventory_id=inventory.id,
    repository_id=repository.id,
    name="Types",
    playbook="types.yml",
    description="",
    arguments="[]",
    allow_override_args_in_task=False,
    suppress_success_alerts=False,
    survey_vars=[models.TemplateSurveyVar(name="count", title="Count", type="Integer", required=True, description="")],
)
call(project.project_project_id_templates_post, p, models.TemplateRequest(limit="web", **values), refused="limit")
call(project.project_project_id_templates_post, p, models.TemplateRequest(limit="", view_id=view.id, **values))
template = named(call(project.project_project_id_templates_get, p, "name", "asc"), "Types")
assert template.environment_id, template
one_of(call(project.project_project_id_templates_get, p, "name", "asc"), template.id)
call(project.project_project_id_templates_template_id_get, p, template.id)
call(project.project_project_id_templates_template_id_put, p, template.id, models.TemplateRequest(**values))

Start = models.ProjectProjectIdTasksPostRequest
call(project.project_project_id_tasks_post, p, Start(template_id=template.id, playbook="other.yml"), refused="playbook")
task = call(
    project.project_project_id_tasks_post,
    p,
    Start(template_id=template.id, debug=False, dry_run=False, diff=False, playbook="", environment='{"count": "5"}', limit="localhost"),
)
deadline = time.monotonic() + 120
while call(project.project_project_id_tasks_task_id_get, p, task.id).status not in ENDED:
    if time.monotonic() > deadline:
        sys.exit("The task does not end.")
    time.sleep(0.2)
assert call(project.project_project_id_tasks_task_id_get, p, task.id).status == "success"
log = "\n".join(line.output for line in call(project.project_project_id_tasks_task_id_output_get, p, task.id))
assert "count is a int" in log, log
one_of(call(project.project_project_id_tasks_get, p), task.id)
one_of(call(project.project_project_id_tasks_last_get, p), task.id)
waiting = call(project.project_project_id_tasks_post, p, Start(template_id=template.id, environment='{"count": 1}'))
call(project.project_project_id_tasks_task_id_stop_post, p, waiting.id)
call(project.project_project_id_tasks_task_id_delete, p, task.id)

Schedule = models.ScheduleRequest
when = call(schedule.project_project_id_schedules_post, p, Schedule(cron_format="@midnight", project_id=p, template_id=template.id))
call(schedule.project_project_id_schedules_schedule_id_get, p, when.id)
call(
    schedule.project_project_id_schedules_schedule_id_put,
    p,
    when.id,
    Schedule(id=when.id, cron_format="CRON_TZ=Europe/Berlin 5/15 * * * ?", project_id=p, template_id=template.id),
)
call(schedule.project_project_id_schedules_schedule_id_delete, p, when.id)

while call(project.project_project_id_tasks_task_id_get, p, waiting.id).status not in ENDED:
    time.sleep(0.2)
call(project.project_project_id_templates_template_id_delete, p, template.id)
call(project.project_project_id_views_view_id_delete, p, view.id)
call(project.project_project_id_environment_environment_id_delete, p, environment.id)
call(project.project_project_id_inventory_inventory_id_delete, p, inventory.id)
call(project.project_project_id_repositories_repository_id_delete, p, repository.id)
call(project.project_project_id_delete, p)
print(f"semaphore-api: {made} calls work")
