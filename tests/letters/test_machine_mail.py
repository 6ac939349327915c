"""Automatic replies that no header field gives away."""

import pytest

from judge.letters.machine_mail import is_automatic
from tests.texts import listed

OURS = "Re: JUDG:heron - S1901M Press from G to F"


@pytest.mark.parametrize(
    "note",
    listed("""
    I am out of the office until 5 June. In urgent cases call +44 20 7946 0018.
    Thank you for your message. I will be out of office from Monday.
    This is an automatic reply.
    I'm currently on annual leave and will reply on my return.
    I will not be in the office till May.
    I am on vacation until 5 June with limited access to e-mail.
    Ich bin derzeit abwesend.
    Bin ausser Haus.
    Ich bin bis zum 5. Juni nicht im Büro. Ihre Mail wird nicht weitergeleitet.
    Vielen Dank für Ihre Nachricht. Ich bin bis zum 5.6. im Urlaub.
    Je suis absente jusqu'au 5 juin.
    Je suis absent du bureau.
    Je suis actuellement en congé.
    Estoy fuera de la oficina hasta el 5 de junio.
    Me encuentro ausente hasta el lunes.
    Sono fuori ufficio fino al 5 giugno.
    Sarò assente fino al 5 giugno.
    Estou ausente até 5 de junho.
    Estarei fora do escritório.
    Ik ben tot en met 5 juni niet op kantoor.
    Wegens vakantie ben ik afwezig.
    Jag är inte på kontoret.
    Jag har semester till och med 5 juni.
    Jeg er ikke på kontoret.
    Jeg holder ferie til og med 5. juni.
    Olen poissa toimistolta 5.6. asti.
    Olen lomalla 5.6. asti.
    Jestem nieobecny do 5 czerwca.
    Przebywam na urlopie.
    Jsem mimo kancelář.
    Jsem na dovolené do 5. 6.
    Szabadságon vagyok június 5-ig.
    Nu sunt la birou.
    Я в отпуске.
    Меня нет на рабочем месте до 5 июня.
    Я у відпустці.
    5 Haziran'a kadar ofis dışındayım.
    Izindeyim.
    Βρίσκομαι εκτός γραφείου.
    現在不在にしております。
    我现在不在办公室。
    현재 부재중입니다."""),
)
def test_vacation_notes_in_many_languages(note: str):
    assert is_automatic(OURS, ["Hello,", "", *note.replace(". ", ".\n").split("\n"), "", "Fay Roe"])


@pytest.mark.parametrize(
    "subject",
    listed("""
    Automatic reply: JUDG:heron
    Out of office
    Out of Office Re: JUDG:heron - Press
    Abwesenheit
    Abwesenheit: Re: JUDG:heron
    Abwesenheitsnotiz
    Réponse automatique : JUDG:heron
    Absence du bureau
    Fuera de la oficina
    Respuesta automática: x
    Fuori ufficio
    Ausência
    Afwezig
    Frånvaro
    Autosvar: x
    Fravær
    Poissa
    Nieobecność
    Nepřítomnost
    Отсутствие
    不在
    부재중
    Urlaub
    OOO: x
    Away: x
    I am out of the office
    [Auto-Reply] x
    On vacation Re: x"""),
)
def test_their_subjects(subject: str):
    assert is_automatic(subject, ["Hello."])


@pytest.mark.parametrize(
    "text",
    listed("""
    Shall we meet in Vienna?
    I will be away this weekend.
    Let's contact Italy; it is urgent.
    Are you on vacation?
    I shall answer on Monday.
    My fleet is absent from the North Sea.
    Russland war abwesend, als wir angriffen.
    Bist du im Urlaub?
    Je suis prêt. Italie est absente.
    Sono d'accordo.
    Estoy contigo hasta el final.
    Support me until Fall.
    Turkey is out of the game.
    Stay out of Burgundy.
    Rest assured, I will be back.
    The office of the Chancellor sends greetings.
    I leave Burgundy until you return.
    I am on leave of absence from this alliance.
    We are out of officers.
    Ich bin bereit. Russland ist nicht erreichbar."""),
)
def test_what_people_write_is_none(text: str):
    assert not is_automatic(OURS, [text])
    assert not is_automatic(text, ["Hello."])
