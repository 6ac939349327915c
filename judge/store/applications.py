"""The people who ask to join games whose master decides who may join."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from judge.store.tables import Application, Game, Person


def of_game(session: Session, game: Game) -> Sequence[tuple[Application, Person]]:
    """The open applications to `game` with the people who made them, the oldest first."""
    question = select(Application, Person).join(Person).where(Application.game_id == game.id)
    return [(application, person) for application, person in session.exec(question.order_by(col(Application.id)))]


def of_person(session: Session, game: Game, person: Person) -> Application | None:
    """The open application of `person` to `game`."""
    mine = (Application.game_id == game.id, Application.person_id == person.id)
    return session.exec(select(Application).where(*mine)).first()


def made_by(session: Session, person: Person) -> Sequence[Application]:
    """The open applications of `person`."""
    return session.exec(select(Application).where(Application.person_id == person.id)).all()


def all_open(session: Session) -> Sequence[tuple[Application, Game]]:
    """Every open application, with its game."""
    return [(application, game) for application, game in session.exec(select(Application, Game).join(Game))]
