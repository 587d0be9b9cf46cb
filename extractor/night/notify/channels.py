"""The ways by which somebody is told."""

from __future__ import annotations

import json
import os
import smtplib
import ssl
import subprocess
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from crawler.config.stages import EmailConfig, NotifyConfig
from extractor.health.state import Health
from extractor.night.notify.changes import Change, Told

NAMED = 3
"""Sites named in the subject of a message. Origin: guess, what fits in a line."""

SECONDS = 60.0
"""Time that telling may take. Origin: guess."""


class NotToldError(OSError):
    """A channel did not take what it was to tell."""


def tell_changes(
    channels: Sequence[NotifyConfig], state_folder: str, sites: Iterable[Health]
) -> Iterator[str]:
    """Tell each channel what it does not know yet, in one message; a line for each that could not
    be told, and is told the next time."""
    told, judged = Told(state_folder), list(sites)
    for channel in channels:
        changes = told.changes(channel, judged)
        if not changes:
            continue
        try:
            _tell(channel, changes)
        except (OSError, smtplib.SMTPException, subprocess.SubprocessError) as problem:
            yield f"{_name(channel)}: not told, the next night tries again: {problem}"
        else:
            told.add(channel, changes)


def _tell(channel: NotifyConfig, changes: Sequence[Change]) -> None:
    if channel.command is not None:
        run_command(channel.command, changes)
    elif channel.webhook is not None:
        post(channel.webhook, changes)
    elif channel.email is not None:
        send(channel.email, changes)


def _name(channel: NotifyConfig) -> str:
    if channel.command is not None:
        return f"notify: command {channel.command[0]}"
    if channel.webhook is not None:
        return f"notify: webhook {channel.webhook}"
    assert channel.email is not None
    return f"notify: email by {channel.email.host}:{channel.email.port}"


def as_json(changes: Sequence[Change]) -> bytes:
    """What commands and webhooks get."""
    content = {"summary": subject(changes), "changes": [each.to_row() for each in changes]}
    return json.dumps(content, ensure_ascii=False, default=str).encode()


def subject(changes: Sequence[Change]) -> str:
    """The changes in a few words."""
    ill = [each.health for each in changes if each.health.is_bad]
    well = [each.health for each in changes if not each.health.is_bad]
    words = [f"{health.site} is {health.state}" for health in ill[:NAMED]]
    words += [f"{len(ill) - NAMED} more are ill"] * (len(ill) > NAMED)
    words += [f"{health.site} is well again" for health in well[:NAMED]]
    words += [f"{len(well) - NAMED} more are well again"] * (len(well) > NAMED)
    return "Webstem: " + ", ".join(words)


def run_command(command: Sequence[str], changes: Sequence[Change]) -> None:
    """Start a program with the changes on its stdin; NotToldError if it fails."""
    done = subprocess.run(
        list(command), input=as_json(changes), capture_output=True, timeout=SECONDS, check=False
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NotToldError(f"exit code {done.returncode}{': ' + said[-1] if said else ''}")


def post(url: str, changes: Sequence[Change]) -> None:
    """Send the changes to an address; OSError if it does not answer with success."""
    request = urllib.request.Request(
        url, data=as_json(changes), headers={"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=SECONDS):
        pass


def send(email: EmailConfig, changes: Sequence[Change]) -> None:
    """Send the changes as a message of plain text."""
    message = EmailMessage()
    message["Subject"] = subject(changes)
    message["From"], message["To"] = email.sender, ", ".join(email.to)
    message["Date"], message["Message-ID"] = formatdate(), make_msgid("webstem")
    message.set_content("\n\n".join(map(str, changes)) + "\n")
    context = ssl.create_default_context()
    if email.tls == "always":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            email.host, email.port, timeout=SECONDS, context=context
        )
    else:
        server = smtplib.SMTP(email.host, email.port, timeout=SECONDS)
    with server:
        server.ehlo()
        is_offered = server.has_extn("starttls")
        if email.tls == "start" or (email.tls == "if offered" and is_offered):
            server.starttls(context=context)
        if email.user:
            server.login(email.user, os.environ.get(email.password_env, ""))
        server.send_message(message)
