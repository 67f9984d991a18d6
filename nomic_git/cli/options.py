"""Parameters that are coerced only where they need it, so that reading commands start fast (design section 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

if TYPE_CHECKING:
    from collections.abc import Callable


class Option(TyperOption):
    """An option that is coerced only where it has to be."""

    def process_value(self, ctx: Any, value: Any) -> Any:
        """Return the value, coerced where it has to be."""
        return _coerced(self, ctx, value, super().process_value)


class Argument(TyperArgument):
    """An argument that is coerced only where it has to be."""

    def process_value(self, ctx: Any, value: Any) -> Any:
        """Return the value, coerced where it has to be."""
        return _coerced(self, ctx, value, super().process_value)


def _coerced(param: Option | Argument, ctx: Any, value: Any, by_typer: Callable[[Any, Any], Any]) -> Any:
    """Return a value for a parameter: a default as it is, text as text, and what its own parser reads.

    To coerce them all the same, typer would load pydantic, which takes longer than to read a game.
    """
    if isinstance(value, str) and param.callback is None:
        parser = param.type_descriptor.parameter_info.parser
        if parser is not None:
            return _parsed(parser, param, ctx, value)
        if param.type_descriptor.annotation is str:
            return value
    return value if value is param.default and not param.required else by_typer(ctx, value)


def _parsed(parser: Callable[[str], Any], param: Option | Argument, ctx: Any, value: str) -> Any:
    try:
        return parser(value)
    except typer.BadParameter as error:
        raise typer.BadParameter(error.message, ctx=ctx, param=param) from None


class Command(TyperCommand):
    """A command whose every error in a call says which command it is about."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left of the arguments. typer's own parser does not say where a value is missing."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            failed: Any = error
            failed.ctx = getattr(error, "ctx", None) or ctx
            raise


class Commands(TyperGroup):
    """Commands with such options, and the options that stand before them."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options that stand before the command."""
        return _unhurried(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a name, None where there is none."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _unhurried(command.get_params(ctx))
            command.__class__ = _CLASSES.get(type(command), type(command))
        return command


_CLASSES: dict[type, type] = {TyperOption: Option, TyperArgument: Argument, TyperCommand: Command}


def _unhurried(params: list[Any]) -> list[Any]:
    for one in params:
        # typer makes its parameters itself and leaves no other way to say of which class.
        one.__class__ = _CLASSES.get(type(one), type(one))
    return params
