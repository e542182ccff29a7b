"""A second factor is enrolled, asked for, spent and given up; without it a password opens nothing."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from desk import second_factor
from desk.second_factor import CodeRefusedError

pytestmark = pytest.mark.django_db

INDEX, LOGIN, CODE = reverse("admin:index"), reverse("admin:login"), reverse("admin:login_code")
OVERVIEW, ENROL = reverse("admin:second_factor"), reverse("admin:second_factor_enrol")
RENEW, REMOVE = reverse("admin:second_factor_codes"), reverse("admin:second_factor_remove")
PASSWORD = "right words here"


@pytest.fixture
def editor() -> User:
    user = User.objects.create_user("mina", password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name="publisher"))
    return user


def app_code(device: Any) -> str:
    totp = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift)
    totp.time = timezone.now().timestamp()
    return f"{totp.token():06d}"


def later(seconds: float = 31) -> Any:
    """A code is good once: the next one of the app comes half a minute later."""
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds))


def enrolled(user: User) -> tuple[Any, list[str]]:
    device = second_factor.begin(user)
    with time_machine.travel(timezone.now() - timedelta(minutes=2)):
        return second_factor.confirm(user, app_code(device))


def give_password(client: Client, **more: str) -> Any:
    return client.post(LOGIN, {"username": "mina", "password": PASSWORD, "next": INDEX, **more})


def text(response: Any) -> str:
    return str(response.content.decode())


def test_an_editor_enrols_an_app_and_is_told_the_secret_and_the_codes_once(
    editor: User, client: Client
) -> None:
    client.force_login(editor)
    assert "등록 시작" in text(client.get(OVERVIEW))
    started = client.post(ENROL)
    device = TOTPDevice.objects.get(user=editor)
    secret = second_factor.secret_for_typing(device)
    assert secret in text(started)
    assert "<svg" in text(started)
    assert "no-store" in started.headers["Cache-Control"]
    finished = text(client.post(ENROL, {"code": app_code(device)}))
    codes = re.findall(r"<code>([a-z0-9]{5}-[a-z0-9]{5})</code>", finished)
    assert len(set(codes)) == 10
    overview = text(client.get(OVERVIEW))
    assert "켜져 있습니다" in overview
    for page in (finished, overview, text(client.get(INDEX))):
        assert secret not in page
    assert not any(code in overview for code in codes)
    assert not StaticToken.objects.filter(token__in=codes).exists()


def test_a_wrong_code_enrols_nothing(editor: User, client: Client) -> None:
    client.force_login(editor)
    client.post(ENROL)
    wrong = f"{(int(app_code(TOTPDevice.objects.get())) + 1) % 1_000_000:06d}"
    assert "코드가 맞지 않습니다" in text(client.post(ENROL, {"code": wrong}))
    assert not second_factor.device_of(editor)
    assert not StaticToken.objects.exists()


def test_who_is_enrolled_cannot_start_again_without_giving_up_the_first(editor: User, client: Client) -> None:
    device, codes = enrolled(editor)
    sign_in(client, codes[0])
    assert client.post(ENROL).headers["Location"] == OVERVIEW
    assert list(TOTPDevice.objects.all()) == [device]


def sign_in(client: Client, code: str) -> Any:
    give_password(client)
    return client.post(CODE, {"code": code})


def test_the_password_alone_opens_no_page_of_the_desk(editor: User, client: Client) -> None:
    enrolled(editor)
    assert give_password(client).headers["Location"] == CODE
    for name in ("index", "second_factor", "password_change", "knowledge_alias_changelist", "jsi18n"):
        answer = client.get(reverse(f"admin:{name}"))
        assert answer.status_code == 302, name
        assert answer.headers["Location"].startswith(LOGIN), name
    assert "_auth_user_id" not in client.session


def test_password_and_code_open_the_page_that_was_asked_for(editor: User, client: Client) -> None:
    device, _codes = enrolled(editor)
    wanted = reverse("admin:knowledge_alias_changelist")
    give_password(client, next=wanted)
    assert client.post(CODE, {"code": app_code(device)}).headers["Location"] == wanted
    assert client.get(wanted).status_code == 200


def test_the_page_after_the_code_is_one_of_ours(editor: User, client: Client) -> None:
    device, _codes = enrolled(editor)
    give_password(client, next="https://elsewhere.example/")
    assert client.post(CODE, {"code": app_code(device)}).headers["Location"] == INDEX


def test_a_code_is_good_once(editor: User) -> None:
    device, _codes = enrolled(editor)
    code = app_code(device)
    sign_in(first := Client(), code)
    sign_in(second := Client(), code)
    assert first.get(INDEX).status_code == 200
    assert second.get(INDEX).status_code == 302


def test_a_recovery_code_is_good_once_however_it_is_typed(editor: User) -> None:
    _device, codes = enrolled(editor)
    typed = f" {codes[3].upper().replace('-', ' ')} "
    assert sign_in(Client(), typed).status_code == 302
    assert second_factor.recovery_codes_left(editor) == 9
    assert "코드가 맞지 않습니다" in text(sign_in(Client(), typed))


def test_each_wrong_code_makes_the_next_try_wait_longer(editor: User) -> None:
    device, _codes = enrolled(editor)
    with pytest.raises(CodeRefusedError):
        second_factor.verify(editor, "000000" if app_code(device) != "000000" else "111111")
    with pytest.raises(CodeRefusedError) as too_soon:
        second_factor.verify(editor, app_code(device))
    assert too_soon.value.locked_until is not None
    with later(2):
        assert second_factor.verify(editor, app_code(device)) == device


def test_wrong_codes_lock_the_sign_in_out_like_wrong_passwords(editor: User, client: Client) -> None:
    device, _codes = enrolled(editor)
    give_password(client)
    assert [client.post(CODE, {"code": "aaaaa-aaaaa"}).status_code for _ in range(5)] == [200] * 4 + [429]
    assert client.post(CODE, {"code": app_code(device)}).status_code == 429
    assert give_password(Client()).status_code == 429


def test_the_password_is_good_for_a_code_for_five_minutes(editor: User, client: Client) -> None:
    device, _codes = enrolled(editor)
    give_password(client)
    with later(301):
        assert client.post(CODE, {"code": app_code(device)}).headers["Location"] == LOGIN
        assert client.get(INDEX).status_code == 302


def test_a_password_changed_in_between_voids_the_first_step(editor: User, client: Client) -> None:
    device, _codes = enrolled(editor)
    give_password(client)
    editor.set_password("other words here")
    editor.save()
    assert client.post(CODE, {"code": app_code(device)}).headers["Location"] == LOGIN


def test_the_code_page_without_a_password_leads_back(client: Client) -> None:
    assert client.get(CODE).headers["Location"] == LOGIN


def test_a_session_from_before_the_enrolment_has_to_sign_in_again(editor: User, client: Client) -> None:
    client.force_login(editor)
    assert client.get(INDEX).status_code == 200
    enrolled(editor)
    assert client.get(INDEX).status_code == 302
    assert "2단계 인증이 켜져 있습니다" in text(client.get(LOGIN))


def test_new_recovery_codes_take_a_code_and_void_the_old(editor: User, client: Client) -> None:
    _device, codes = enrolled(editor)
    sign_in(client, codes[0])
    client.post(RENEW, {"code": "wrong"})
    assert second_factor.recovery_codes_left(editor) == 9
    with later(10):
        page = text(client.post(RENEW, {"code": codes[1]}))
    assert len(re.findall(r"<code>[a-z0-9]{5}-[a-z0-9]{5}</code>", page)) == 10
    with pytest.raises(CodeRefusedError):
        second_factor.verify(editor, codes[2])


def test_giving_it_up_takes_a_code(editor: User, client: Client) -> None:
    device, codes = enrolled(editor)
    sign_in(client, codes[0])
    client.post(REMOVE, {"code": "wrong"})
    client.post(REMOVE, {})
    assert second_factor.device_of(editor) == device
    client.post(REMOVE, {"code": app_code(device)})
    assert second_factor.device_of(editor) is None
    assert not StaticToken.objects.exists()
    assert client.get(INDEX).status_code == 200


def test_a_superuser_takes_it_from_who_lost_the_phone_and_not_from_oneself(
    editor: User, admin_user: User
) -> None:
    device, _codes = enrolled(editor)
    _own, codes = enrolled(admin_user)
    client = Client()
    client.post(LOGIN, {"username": "admin", "password": "password", "next": INDEX})
    client.post(CODE, {"code": codes[0]})
    listed = text(client.get(reverse("admin:otp_totp_totpdevice_changelist")))
    assert "mina" in listed
    assert device.key not in listed
    own = TOTPDevice.objects.get(user=admin_user)
    page = text(client.get(reverse("admin:otp_totp_totpdevice_change", args=[device.pk])))
    assert device.key not in page
    erase = "admin:otp_totp_totpdevice_delete"
    assert client.post(reverse(erase, args=[own.pk]), {"post": "yes"}).status_code == 403
    client.post(reverse(erase, args=[device.pk]), {"post": "yes"})
    assert list(TOTPDevice.objects.all()) == [own]
    assert not StaticToken.objects.filter(device__user=editor).exists()


def test_who_can_change_what_readers_see_is_asked_to_enrol(editor: User, client: Client) -> None:
    notice = "2단계 인증 켜기"
    client.force_login(editor)
    assert notice in text(client.get(INDEX))
    editor.groups.set([Group.objects.get(name="reader")])
    assert notice not in text(client.get(INDEX))
    editor.groups.set([Group.objects.get(name="operator")])
    assert notice in text(client.get(INDEX))
    _device, codes = enrolled(editor)
    sign_in(client, codes[0])
    assert notice not in text(client.get(INDEX))
