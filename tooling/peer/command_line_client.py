"""Uses the client of `semacli` as its commands do, and fails when a call that exists in Signalbox does not work."""

import os
import sys
import time

from semacli.core.client import SemaphoreClient
from semacli.core.config import SemaphoreConfig
from semacli.core.exceptions import SemaphoreAPIError

ENDED = ("success", "error", "stopped")
HERE = 'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"'
config = SemaphoreConfig(url=os.environ["SIGNALBOX_ADDRESS"], bearer_token=os.environ["SIGNALBOX_TOKEN"], allow_http=True)
client = SemaphoreClient(config)


def refused(field, function, *args, **values):
    """The call must be refused with a message that names the field."""
    try:
        answer = function(*args, **values)
    except SemaphoreAPIError as error:
        if "HTTP 400" not in str(error) or field not in str(error):
            sys.exit(f"{function.__name__} should refuse {field}: {error}")
    else:
        sys.exit(f"{function.__name__} should refuse {field}, and answered {answer}")


def ended(task_id):
    deadline = time.monotonic() + 120
    while (task := client.get_task(p, task_id)).status not in ENDED:
        if time.monotonic() > deadline:
            sys.exit("The task does not end.")
        time.sleep(0.2)
    return task


assert client.ping() == "pong"
me = client.whoami()
client.list_user_tokens()
ana = client.create_user("ana", "Ana", "ana@example.com", "a long phrase 9")
client.get_user(ana.id)
client.list_users()
client.update_user(ana.id, name="Ana B", username="ana", email="ana@example.com")

p = client.create_project("Command line").id
client.get_projects()
client.get_project(p)
client.update_project(p, name="Commands")
client.add_project_member(p, ana.id, "guest")
client.update_project_member(p, ana.id, "manager")
assert len(client.list_project_members(p)) == 2
client.remove_project_member(p, ana.id)
client.list_project_events(p)

key = client.create_key(p, name="None", type="none").id
login = client.create_key(p, name="Login", type="login_password", login="ana", password="a long phrase 9").id
client.get_key(p, login)
client.update_key(p, login, name="Login 2", type="login_password")
client.list_keys(p)
client.delete_key(p, login)
repository = client.create_repository(p, "Books", os.environ["SIGNALBOX_REPOSITORY"], "main", key).id
client.get_repository(p, repository)
client.update_repository(p, repository, name="Playbooks")
client.list_repositories(p)
inventory = client.create_inventory(p, name="Here", type="static", content=HERE, ssh_key_id=key).id
client.get_inventory(p, inventory)
client.update_inventory(p, inventory, name="Hosts")
client.list_inventories(p)
refused("password", client.create_environment, p, "Secret", password="x")
environment = client.create_environment(p, "Empty").id
client.get_environment(p, environment)
client.update_environment(p, environment, json="{}")
client.list_environments(p)
view = client.create_view(p, "Some").id
client.get_view(p, view)
client.update_view(p, view, title="Others")
client.list_views(p)

# This client allows every override by default.
template = client.create_template(p, "Types", "types.yml", inventory, repository).id
client.update_template(p, template, description="Shows types")
client.get_template(p, template)
client.get_templates(p)
refused("playbook", client.run_task, p, template, playbook="other.yml")
task = client.run_task(p, template, environment='{"count": 5}', limit="localhost", tags="all", diff=True, dry_run=True, debug=2)
assert ended(task.id).status == "success"
assert "count is a int" in client.get_task_raw_output(p, task.id)
assert client.get_task_output(p, task.id)
client.list_tasks(p)
waiting = client.run_task(p, template, environment='{"count": 5}')
client.stop_task(p, waiting.id)

refused("task_params", client.create_schedule, p, template, "@daily", "Limited", limit="web")
client.create_schedule(p, template, "", "Once", schedule_type="run_at", run_at="2099-01-01T00:00:00Z")
schedule = client.create_schedule(p, template, "@every 1h30m", "Often", active=False).id
client.get_schedule(p, schedule)
client.update_schedule(p, schedule, name="Seldom", cron_format="CRON_TZ=Asia/Tokyo 0 3 * * ?", active=True)
client.list_schedules(p)

ended(waiting.id)
client.delete_template(p, template)
client.delete_view(p, view)
client.delete_environment(p, environment)
client.delete_inventory(p, inventory)
client.delete_repository(p, repository)
client.delete_key(p, key)
client.delete_project(p)
client.delete_user(ana.id)
print("semacli: all calls work")
